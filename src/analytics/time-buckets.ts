/** Two buckets for each doubling. */
const perDoubling = 2

/** About half a year. */
const lastBucket = 24 * perDoubling

/** The bucket of a time: the first holds all up to a second, each later one times that are up to 1.41 times as long. */
export function bucketOf(ms: number): number {
  const bucket = Math.ceil(perDoubling * Math.log2(Math.max(1, ms / 1000)))
  return Math.min(bucket, lastBucket)
}

/** The seconds that no time in a bucket exceeds. */
export function secondsOf(bucket: number): number {
  return 2 ** (bucket / perDoubling)
}

/** The seconds within which half of all times were; undefined without any. By the bucket: at most 1.41 times too many. */
export function medianSeconds(buckets: ReadonlyMap<number, number>): number | undefined {
  const all = [...buckets.values()].reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const bucket of [...buckets.keys()].sort((one, other) => one - other)) {
    below += buckets.get(bucket) ?? 0
    if (all > 0 && 2 * below >= all) return Math.round(10 * secondsOf(bucket)) / 10
  }
  return undefined
}
