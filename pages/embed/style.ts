/** The look of the element; the conversation in its frame has its own. */
export const style = `:host {
  all: initial;
  display: block;
  --ink: #1b1d21;
  --paper: #ffffff;
  font:
    1rem / 1.4 system-ui,
    sans-serif;
}
:host([hidden]),
.invitation[hidden],
.unread:empty {
  display: none;
}
* {
  box-sizing: border-box;
}
iframe {
  display: block;
  width: 100%;
  height: 100%;
  border: 0;
}
button {
  border: 1px solid transparent;
  font: inherit;
  cursor: pointer;
}
:focus-visible {
  outline: 3px solid var(--color);
  outline-offset: 2px;
}
.panel {
  height: var(--frame-height, 20rem);
}
.inline,
.inline .panel {
  max-height: inherit;
}
:is(.launcher, .invitation, .bubble dialog) {
  position: fixed;
  z-index: var(--z-index, 2147483000);
  right: max(20px, env(safe-area-inset-right));
  left: auto;
  bottom: var(--at);
}
.chat {
  --color: #1f5a8a;
  --size: 56px;
  --edge: max(20px, env(safe-area-inset-bottom));
  --at: calc(var(--edge) + var(--size) + 12px);
}
.left :is(.launcher, .invitation, .bubble dialog) {
  right: auto;
  left: max(20px, env(safe-area-inset-left));
}
.top {
  --edge: max(20px, env(safe-area-inset-top));
}
.top :is(.launcher, .invitation, .bubble dialog) {
  top: var(--at);
  bottom: auto;
}
.launcher {
  --at: var(--edge);
  display: grid;
  place-items: center;
  width: var(--size);
  height: var(--size);
  padding: 0;
  border-radius: 50%;
  background: var(--color);
  color: var(--icon-color, #ffffff);
  box-shadow: 0 4px 16px rgb(0 0 0 / 0.25);
}
.launcher :is(svg, img) {
  width: 50%;
  height: 50%;
  object-fit: contain;
}
path {
  fill: none;
  stroke: currentColor;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.unread {
  position: absolute;
  top: -4px;
  right: -4px;
  min-width: 22px;
  padding: 0 5px;
  border-radius: 99px;
  background: #b3261e;
  color: #ffffff;
  font-size: 14px;
  line-height: 22px;
}
.invitation {
  display: flex;
  max-width: min(18rem, calc(100vw - 40px));
  border-radius: 14px;
  background: var(--paper);
  color: var(--ink);
  box-shadow: 0 4px 24px rgb(0 0 0 / 0.2);
}
.invitation button {
  min-width: 40px;
  min-height: 40px;
  padding: 10px 14px;
  border-radius: 14px;
  background: transparent;
  color: inherit;
  text-align: start;
}
.invitation button + button {
  flex: none;
  width: 40px;
  padding: 10px;
}
dialog {
  position: fixed;
  width: min(400px, calc(100vw - 40px));
  height: min(640px, calc(100dvh - var(--size) - 52px));
  max-width: none;
  max-height: none;
  margin: 0;
  padding: 0;
  overflow: hidden;
  border: 1px solid transparent;
  border-radius: 16px;
  background: var(--paper);
  box-shadow: 0 8px 40px rgb(0 0 0 / 0.25);
}
.popup dialog {
  inset: 0;
  width: min(480px, calc(100vw - 32px));
  height: min(680px, calc(100dvh - 32px));
  margin: auto;
}
dialog::backdrop {
  background: rgb(0 0 0 / 0.5);
}
.chat dialog.full {
  inset: var(--viewport-top, 0px) 0 auto;
  width: 100%;
  height: var(--viewport-height, 100dvh);
  margin: 0;
  padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom)
    env(safe-area-inset-left);
  border: 0;
  border-radius: 0;
}
.close {
  position: absolute;
  top: 8px;
  right: 8px;
  width: 40px;
  height: 40px;
  padding: 8px;
  border-radius: 50%;
  background: var(--paper);
  color: var(--ink);
}
.full .close {
  top: calc(8px + env(safe-area-inset-top));
}
@media (prefers-color-scheme: dark) {
  :host {
    --ink: #eceef1;
    --paper: #1d2024;
  }
  .chat {
    --color: #8fc1ea;
    --icon-color: #10222f;
  }
}
@media (forced-colors: active) {
  .unread,
  .invitation {
    border: 1px solid;
  }
  :focus-visible {
    outline-color: Highlight;
  }
}
@media (prefers-reduced-motion: no-preference) {
  :is(.invitation, dialog[open], .launcher) {
    animation: rise 0.2s ease-out;
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(12px);
    }
  }
}
`
