const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** A text as an attribute or an element holds it. XML has no place for other control characters, nor for halves of a pair. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? character)
}
