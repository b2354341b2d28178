/**
 * Building DOM nodes from data: text is always a text node, so nothing shown is ever markup.
 */

type Child = Node | string | null;

/** Attributes by name; a class is `class`, an ARIA attribute `aria-…`. */
type Attributes = Record<string, string>;

/** One element with its attributes and children; null children are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Set the text of a node only when it is new, so that screen readers are not told twice. */
export function say(node: HTMLElement, text: string): void {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Show or hide a node. */
export function show(node: HTMLElement, visible: boolean): void {
  node.hidden = !visible;
}
