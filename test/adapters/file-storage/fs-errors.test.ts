import { expect, it } from 'vitest'
import { existing, unless, unlessFull } from '../../../src/adapters/file-storage/fs-errors.ts'

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

it.each(['ENOSPC', 'EDQUOT'])('tells a full disk by %s', async (code) => {
  expect(await unlessFull(failing(code))).toBe('disk full')
})

it('takes no other failure for a full disk, and no outcome', async () => {
  await expect(unlessFull(failing('EIO'))).rejects.toThrow('EIO')
  await expect(unlessFull(Promise.reject('gone'))).rejects.toBe('gone')
  expect(await unlessFull(Promise.resolve(undefined))).toBeUndefined()
})

it('takes what is missing for nothing, and nothing else', async () => {
  expect(await existing(failing('ENOENT'))).toBeUndefined()
  await expect(existing(failing('ENOTDIR'))).rejects.toThrow('ENOTDIR')
  expect(await unless(['A', 'B'], failing('B'))).toBeUndefined()
})
