import jsqr from 'jsqr'
import { GifReader } from 'omggif'
import { expect, it } from 'vitest'
import { qrCode } from '../../../src/blocks/vendors/qr-code.ts'
import { runBlock } from '../../support/run-block.ts'

/** What a camera would read. */
function readCode(address: unknown): string | undefined {
  const [head, base64 = ''] = String(address).split(',')
  expect(head).toBe('data:image/gif;base64')
  const image = new GifReader(Buffer.from(base64, 'base64'))
  const pixels = new Uint8ClampedArray(image.width * image.height * 4)
  image.decodeAndBlitFrameRGBA(0, pixels as unknown as Buffer)
  const code = jsqr.default(pixels, image.width, image.height)
  return code ? Buffer.from(code.binaryData).toString('utf8') : undefined
}

it.each(['x', 'https://shop.example/o/17?a=b&c=ä', '寿司 🍣', '0'.repeat(2953)])(
  'can be read again: %s',
  (data) => {
    const block = {
      id: 'b1',
      type: 'qr-code' as const,
      options: { action: 'Generate a QR Code', data: '{{Data}}', saveUrlInVariableId: 'vOut' },
    }
    const { assignments, logs } = runBlock(qrCode, block, {
      variables: { Data: data, Out: null },
      effects: { yield: true },
    })
    expect(logs).toBeUndefined()
    expect(readCode(assignments?.[0]?.value)).toBe(data)
  },
)
