/**
 * The extension's icon, in the theme's icon colour: an open book carried by a hull.
 */
import { LabIcon } from "@jupyterlab/ui-components";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 64 64">
  <g class="jp-icon3" fill="#616161">
    <path d="M30 7 C23 5 15 6 8 10 V35 C15 31 23 31 30 34 Z"/>
    <path d="M34 7 C41 5 49 6 56 10 V35 C49 31 41 31 34 34 Z"/>
    <path d="M4 39 H60 C58 47 52 51 44 51 H38 L35 60 H29 L26 51 H20 C12 51 6 47 4 39 Z"/>
  </g>
</svg>`;

export const keelbookIcon = new LabIcon({ name: "keelbook:keelbook", svgstr: svg });
