/**
 * Shows the calendar inside of the message. The arguments are the variables of the script; `typebotElement` is the
 * element that clients give to it.
 */
export const showCalendar = `
if (!window.Cal) {
  const cal = (...command) => cal.q.push(command);
  cal.q = [];
  cal.ns = {};
  cal.loaded = true;
  window.Cal = cal;
  const loader = document.createElement("script");
  loader.src = baseUrl + "/embed/embed.js";
  document.head.append(loader);
}
window.Cal("init", { origin: baseUrl });
window.Cal("inline", {
  elementOrSelector: typebotElement,
  calLink: link,
  layout,
  config: {
    ...(name && { name }),
    ...(email && { email }),
    ...(additionalNotes && { notes: additionalNotes }),
    ...(phone && { location: JSON.stringify({ value: "phone", optionValue: phone }) }),
    ...otherPrefilledInformations,
  },
});
window.Cal("ui", { hideEventTypeDetails: false, layout });
`.trim()

/** Sends the date back once it is booked; `continueFlow` is the function that clients give to it. */
export const awaitBooking = `
const callback = (event) => {
  window.Cal("off", { action: "bookingSuccessful", callback });
  continueFlow(event.detail.data.date);
};
window.Cal("on", { action: "bookingSuccessful", callback });
`.trim()
