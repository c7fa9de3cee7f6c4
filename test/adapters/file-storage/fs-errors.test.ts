import { expect, it } from 'vitest'
import { ignoreError, ignoreMissing, mapDiskFull } from '../../../src/adapters/file-storage/file-paths.ts'

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

it.each(['ENOSPC', 'EDQUOT'])('tells a full disk by %s', async (code) => {
  expect(await mapDiskFull(failing(code))).toBe('disk full')
})

it('takes no other failure for a full disk, and no outcome', async () => {
  await expect(mapDiskFull(failing('EIO'))).rejects.toThrow('EIO')
  await expect(mapDiskFull(Promise.reject('gone'))).rejects.toBe('gone')
  expect(await mapDiskFull(Promise.resolve(undefined))).toBeUndefined()
})

it('takes what is missing for nothing, and nothing else', async () => {
  expect(await ignoreMissing(failing('ENOENT'))).toBeUndefined()
  await expect(ignoreMissing(failing('ENOTDIR'))).rejects.toThrow('ENOTDIR')
  expect(await ignoreError(['A', 'B'], failing('B'))).toBeUndefined()
})
