const endings: (() => void)[] = []

process.on('exit', () => {
  for (const end of endings) end()
})
// What is cut short, as by a time limit, exits too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Has something that was started end with this process, however that ends. */
export function endWithProcess(end: () => void): void {
  endings.push(end)
}
