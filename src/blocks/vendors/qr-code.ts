import type { QrCodeBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'
import { reportProblem } from './lib/vendor-logs.ts'
import { layOutQrCode, mostQrCodeBytes } from './qr-code/qr-code-image.ts'

type Options = NonNullable<QrCodeBlock['options']>

/** Makes a QR code, and keeps its address in a variable (docs/behaviour/integrations.md, "QR code"). */
export const qrCode = defineVendorBlock<QrCodeBlock>({
  type: 'qr-code',
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
  const code = layOutQrCode(bytes)
  // Laying a code out is one slice of time, and drawing it the next.
  yield* ask({ type: 'yield' })
  return { assignments: [{ variableId: saveUrlInVariableId, value: code.draw() }] }
}
