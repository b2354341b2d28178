/**
 * The mime renderers of the cards: live instead of static HTML, in untrusted notebooks too.
 *
 * Rules: a payload that cannot be drawn is shown as its plain text; a redraw keeps what the person had unfolded.
 */
import type { IEditorLanguageRegistry } from "@jupyterlab/codemirror";
import type { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import { Widget } from "@lumino/widgets";
import type { Cards } from "../wire.js";
import { MIMES } from "../wire.js";
import type { Highlighter, Pen } from "./cards.js";
import { DRAW } from "./cards.js";
import { element } from "./dom.js";

/** Before HTML, which has rank 50. */
const RANK = 20;

class CardRenderer extends Widget implements IRenderMime.IRenderer {
  constructor(
    private readonly draw: (payload: unknown) => HTMLElement,
    private readonly mimeType: string,
  ) {
    super();
    this.addClass("keelbook-card-output");
  }

  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const unfolded = [...this.node.querySelectorAll("details")].map((each) => each.open);
    this.node.replaceChildren(this.drawn(model));
    this.node.querySelectorAll("details").forEach((each, index) => {
      each.open = unfolded[index] ?? false;
    });
    return Promise.resolve();
  }

  private drawn(model: IRenderMime.IMimeModel): HTMLElement {
    try {
      return this.draw(model.data[this.mimeType]);
    } catch (fault) {
      if (!(fault instanceof TypeError)) {
        throw fault;
      }
      const plain = model.data["text/plain"];
      return element("pre", {}, typeof plain === "string" ? plain : "");
    }
  }
}

/** Colours code with the editor's own languages, when they are loaded. */
export function highlighter(languages: IEditorLanguageRegistry | null): Highlighter {
  return (code, language, into) => {
    const found = languages?.findBest(language === "bash" ? "shell" : language) ?? null;
    if (languages === null || found === null) {
      return;
    }
    const coloured = element("code");
    void languages.highlight(code, found, coloured).then(() => {
      into.replaceChildren(...coloured.childNodes);
    });
  };
}

/** Let the registry draw every kind of card. */
export function addCardRenderers(registry: IRenderMimeRegistry, pen: Pen): void {
  for (const kind of Object.keys(MIMES) as (keyof Cards)[]) {
    const mimeType = MIMES[kind];
    // The kind picks payload and drawing function together; the types cannot see that in a loop.
    const draw = DRAW[kind] as (payload: unknown, pen: Pen) => HTMLElement;
    registry.addFactory(
      {
        safe: true,
        mimeTypes: [mimeType],
        createRenderer: () => new CardRenderer((payload) => draw(payload, pen), mimeType),
      },
      RANK,
    );
  }
}
