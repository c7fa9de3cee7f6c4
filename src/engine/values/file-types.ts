/** The types of files that can be asked for, and the extension that goes with each. */
const extensionByType: ReadonlyMap<string, string> = new Map([
  ['audio/aac', 'aac'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/webm', 'webm'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
  ['image/gif', 'gif'],
  ['image/heic', 'heic'],
  ['image/heif', 'heif'],
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['image/tiff', 'tiff'],
  ['image/webp', 'webp'],
  ['image/wmf', 'wmf'],
  ['video/mp4', 'mp4'],
  ['video/mpeg', 'mpeg'],
  ['video/ogg', 'ogv'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
  ['application/pdf', 'pdf'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/zip', 'zip'],
  ['application/x-rar-compressed', 'rar'],
  ['application/x-7z-compressed', '7z'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/javascript', 'js'],
  ['application/x-tar', 'tar'],
  ['application/gzip', 'gz'],
  ['application/vnd.android.package-archive', 'apk'],
  ['application/x-msdownload', 'exe'],
  ['application/vnd.apple.installer+xml', 'mpkg'],
  ['application/rtf', 'rtf'],
  ['application/x-sh', 'sh'],
  ['application/x-font-ttf', 'ttf'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/octet-stream', 'bin'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['text/markdown', 'md'],
])

/** Extensions that go by several names. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['jpg', 'jpeg'],
  ['jpe', 'jpeg'],
  ['tif', 'tiff'],
])

const families = new Map<string, readonly string[]>(
  ['audio', 'image', 'video', 'application', 'text'].map((family) => [
    `${family}/*`,
    [...extensionByType].filter(([type]) => type.startsWith(`${family}/`)).map(([, extension]) => extension),
  ]),
)

const extensions = new Set(extensionByType.values())

/** Content type by extension. Of the types that share one, the one that is registered, or that plays both. */
const typeByExtension: ReadonlyMap<string, string> = new Map([
  ...[...extensionByType].map(([type, extension]) => [extension, type] as const),
  ['jpeg', 'image/jpeg'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
])

/**
 * The extensions that a list of MIME types, families (`image/*`) and extensions selects. What is not in the table
 * selects nothing.
 */
export function extensionsOf(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.flatMap((type) => selectedBy(type.trim().toLowerCase())))
}

/** The extension of an address, by its name in the table; its query and fragment don't count. */
export function extensionOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  return canonical(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
}

/** The MIME type without its parameters, as the table writes it. */
export function bareType(type: string): string {
  const [bare = ''] = type.split(';', 1)
  return bare.trim().toLowerCase()
}

/** The extension that goes with a bare MIME type; undefined for one that is not in the table. */
export function extensionFor(type: string): string | undefined {
  return extensionByType.get(type)
}

/** The MIME type that goes with an extension; undefined for one that is not in the table. */
export function typeFor(extension: string): string | undefined {
  return typeByExtension.get(extension)
}

function selectedBy(type: string): readonly string[] {
  const byType = extensionByType.get(type)
  if (byType !== undefined) return [byType]
  const extension = canonical(type.replace(/^\./, ''))
  return families.get(type) ?? (extensions.has(extension) ? [extension] : [])
}

function canonical(extension: string): string {
  return synonyms.get(extension) ?? extension
}
