/** Asks the app around the page to open something, and opens the address elsewhere where there is no app. */
export const openInApp = `
const ios = window.webkit?.messageHandlers?.openClientAction;
if (ios) {
  ios.postMessage(action);
} else if (typeof window.android?.openClientAction === "function") {
  window.android.openClientAction(action);
} else if (window.parent !== window && document.referrer !== "") {
  window.parent.postMessage({ functionName: "openClientAction", args: [action] }, document.referrer);
} else {
  window.open(url, "_blank", "noopener");
}
`.trim()
