/**
 * A text as PostgreSQL can hold it: without the character 0, which ids of flows may have, and whatever is asked for in an address.
 * JSON needs none of this, since it escapes that character.
 */
export function storableText<Text extends string | undefined>(text: Text): Text {
  return text?.includes('\0') ? (text.replaceAll('\0', '\uFFFD') as Text) : text
}
