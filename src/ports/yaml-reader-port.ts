/** Reads YAML that strangers write, of which a little text takes long. */
export interface YamlReader {
  /** Undefined while too many others are being read. */
  read(text: string): Promise<ReadYaml | undefined>
}

/** What a text of YAML says, or why nothing is made of it: one line, with the place in the text. */
export type ReadYaml =
  | { readonly json: string; readonly places: YamlPlaces }
  | { readonly refusal: string; readonly place?: string | undefined }

/** Where values stand in a text, as `line:column` by their JSON pointers. */
export type YamlPlaces = ReadonlyMap<string, string>
