/** The outcome of an operation on a file; undefined when there is no such file. */
export async function ignoreMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  return ignoreError(['ENOENT'], operation)
}

/** The outcome of an operation; undefined when it fails with one of the given codes. */
export async function ignoreError<T>(
  codes: readonly string[],
  operation: Promise<T>,
): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if (codes.includes(String(Object(error).code))) return undefined
    throw error
  }
}

/** The outcome of an operation; `disk full` when the disk has no room, or none for the user of this process. */
export async function mapDiskFull<T>(operation: Promise<T>): Promise<T | 'disk full'> {
  const outcome = operation.then((value) => ({ value }))
  const done = await ignoreError(['ENOSPC', 'EDQUOT'], outcome)
  return done ? done.value : 'disk full'
}
