/** Waits for the second of two changes; when it fails, the first is undone, and the failure told. */
export async function undoUnless(second: Promise<unknown>, undoFirst: () => Promise<unknown>): Promise<void> {
  try {
    await second
  } catch (error) {
    await undoFirst()
    throw error
  }
}
