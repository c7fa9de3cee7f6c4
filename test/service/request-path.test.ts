import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

describe('the path of a request', () => {
  it('passes no more files and calls than its bounds allow', async () => {
    const args = ['--import', 'tsx', 'bench/path.ts']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    expect(stdout.match(/files/g)).toHaveLength(2)
  })
})
