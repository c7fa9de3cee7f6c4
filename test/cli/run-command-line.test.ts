import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/run-command-line.ts'
import { callCommandLine } from '../support/call-command-line.ts'

const call = (...args: string[]) => callCommandLine(args)

describe('the command line', () => {
  it('lists every command and every variable', async () => {
    const { code, out, err } = await call('--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const name of Object.keys(commands)) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(out).toContain('FLOWS_DIR')
  })

  it.each(Object.keys(commands))('explains %s, and does nothing', async (name) => {
    const { code, out, err } = await call(name, '--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(new RegExp(`^Usage: flow-runtime ${name}\\b`))
  })

  it.each(['srve', '--hepl', 'toString', ''])('refuses %j as a command with 2', async (name) => {
    expect(await call(name)).toEqual({
      code: 2,
      out: '',
      err: `${JSON.stringify(name)} is not a command\nSee flow-runtime --help.\n`,
    })
  })

  it.each([['--loud'], ['flows']])('refuses %j behind serve with 2, and serves nothing', async (argument) => {
    const { code, out, err } = await call('serve', argument)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(argument)
    expect(err).toContain('See flow-runtime serve --help.')
  })
})
