/**
 * A text as PostgreSQL can hold it: without the character 0, which ids of flows may have, and whatever is asked for in an address.
 * JSON needs none of this, since it escapes that character.
 */
export function storableText<Text extends string | undefined>(text: Text): Text {
  return text?.includes('\0') ? (text.replaceAll('\0', '\uFFFD') as Text) : text
}

const separator = 1

/**
 * Texts of JSON, or undefined, as one parameter. JSON has no control characters but the line breaks around it, so nothing is
 * escaped; as an array, each of its many quotes would be.
 */
export const joinJson = (texts: readonly (string | undefined)[]) => texts.join(String.fromCharCode(separator))

/** The texts that `joinJson` has joined, as an array of their own, which may end before those that are undefined. */
export const joinedJson = (parameter: number) => `string_to_array($${parameter}::text, chr(${separator}), '')`
