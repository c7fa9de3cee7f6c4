/**
 * The longest text that is searched for a date or a phone number, in UTF-16 units. The searches take tens of
 * milliseconds for a few thousand characters, and a longer text is no answer. It is refused rather than cut: half a
 * date can read as another date.
 */
export const longestFreeText = 256
