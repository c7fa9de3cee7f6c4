/** Reads untrusted YAML, of which a short text can take long to parse. */
export interface YamlReader {
  /** Undefined while too many others are being read. */
  read(text: string): Promise<ReadYaml | undefined>
}

/** Value of a YAML text, or why it was rejected: one line, with the place in the text. */
export type ReadYaml =
  | { readonly json: string; readonly places: YamlPlaces }
  | { readonly refusal: string; readonly place?: string | undefined }

/** Places of values in a text, as `line:column` by their JSON pointers. */
export type YamlPlaces = ReadonlyMap<string, string>
