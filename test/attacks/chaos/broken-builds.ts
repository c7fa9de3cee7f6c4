import type { Change } from './altered-build.ts'

/** A build whose protocol is broken on purpose, to see that what is checked can fail. */
export interface BrokenBuild {
  readonly name: string
  /** Whether it takes processes that are killed for it to show. */
  readonly needsKills: boolean
  readonly changes: readonly Change[]
}

const scripts = 'src/stores/redis/scripts'

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'nobody waits for a turn that is under way',
    needsKills: false,
    changes: [
      {
        file: `${scripts}/enter-scripts.js`,
        from: `local isHeld = kept[1] and kept[1] ~= token and tonumber(kept[2]) >= now`,
        to: `local isHeld = false`,
      },
      {
        file: `${scripts}/keep-script.js`,
        from: `(kept[1] ~= token or revision ~= tonumber(ARGV[2]))`,
        to: `false`,
      },
    ],
  },
  {
    name: 'the answer is kept apart from the turn',
    needsKills: true,
    changes: [
      {
        file: `${scripts}/keep-script.js`,
        from: `if ARGV[9] == 'keep' then`,
        to: `if ARGV[9] == 'never' then`,
      },
      {
        file: 'src/stores/redis/turn-keeping.js',
        from: `return undefined;\n        const [, kept`,
        to: `return undefined;
        await new Promise((resolve) => setTimeout(resolve, 1000));
        if (fate === 'keep')
            await connection.run(
                defineScript([], "redis.call('HDEL', KEYS[1], 'o') return redis.call('HSET', KEYS[1], 'a', ARGV[1])"),
                [answerKey], [answer]);
        const [, kept`,
      },
      {
        file: 'src/stores/redis/turn-keeping.js',
        from: `import { keepScript }`,
        to: `import { defineScript } from './scripts/define-script.js';\nimport { keepScript }`,
      },
    ],
  },
]
