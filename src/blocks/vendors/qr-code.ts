import { QrCodeBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { reportProblem } from './lib/ask-vendor.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<QrCodeBlock['options']>

/** Makes a QR code, and keeps its address in a variable (docs/behaviour/integrations.md, "QR code"). */
export const qrCode = defineVendorBlock<QrCodeBlock>({
  schema: QrCodeBlock,
  actions: { 'Generate a QR Code': generate },
  marks: { account: () => undefined },
})

const encoder = new TextEncoder()

/** Characters of text that take as long as one byte of a code. */
const weightOfByte = 50

function* generate({ data, saveUrlInVariableId }: Options, context: RunContext): Effects<Step> {
  if (data === undefined) return { logs: [reportProblem('QR code data is empty')] }
  if (saveUrlInVariableId === undefined)
    return { logs: [reportProblem('QR code image URL is not specified')] }
  const bytes = encoder.encode(data)
  if (bytes.length > mostQrCodeBytes) {
    const description = `A QR code holds no more than ${mostQrCodeBytes} bytes, and this text has ${bytes.length}`
    return { logs: [reportProblem(description)] }
  }
  context.spend(bytes.length * weightOfByte)
  const draw = layOutQrCode(bytes)
  // Laying a code out is one slice of time, and drawing it the next.
  yield* ask({ type: 'yield' })
  return { assignments: [{ variableId: saveUrlInVariableId, value: draw() }] }
}

type Generator = typeof import('qrcode-generator')

const qrcodeGenerator = lazyModule<Generator>('qrcode-generator')

/** Bytes that the largest code holds at the lowest level of error correction. */
const mostQrCodeBytes = 2953

/** Pixels that an image is wide at least, its margin left out. */
const leastWidth = 300

/** Modules around the code that stay white, which readers need. */
const quietZone = 4

/**
 * Lays out the code of a text of no more than `mostQrCodeBytes` in UTF-8. Takes up to 50 ms, and so does what draws it: the
 * image is a `data:` address of a GIF.
 */
function layOutQrCode(bytes: Uint8Array): () => string {
  const generator = qrcodeGenerator()
  generator.stringToBytes = () => [...bytes]
  const code = generator(0, 'L')
  code.addData('bytes')
  code.make()
  const pixels = Math.ceil(leastWidth / code.getModuleCount())
  return () => code.createDataURL(pixels, quietZone * pixels)
}
