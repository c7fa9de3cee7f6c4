import { lazyModule } from '../../../lib/lazy-module.ts'

type Generator = typeof import('qrcode-generator')

const qrcodeGenerator = lazyModule<Generator>('qrcode-generator')

/** Bytes that the largest code holds at the lowest level of error correction. */
export const mostQrCodeBytes = 2953

/** Pixels that an image is wide at least, its margin left out. */
const leastWidth = 300

/** Modules around the code that stay white, which readers need. */
const quietZone = 4

/** A code that is laid out, and can be drawn. */
interface QrCode {
  /** The image as a `data:` address of a GIF. */
  draw(): string
}

/** Lays out the code of a text of no more than `mostQrCodeBytes` in UTF-8. Takes up to 50 ms, and so does drawing. */
export function layOutQrCode(bytes: Uint8Array): QrCode {
  const generator = qrcodeGenerator()
  generator.stringToBytes = () => [...bytes]
  const code = generator(0, 'L')
  code.addData('bytes')
  code.make()
  const pixels = Math.ceil(leastWidth / code.getModuleCount())
  return { draw: () => code.createDataURL(pixels, quietZone * pixels) }
}
