const call = /\bfetch\s*\(/

/** Whether code may call `fetch`: it is run apart then from code that only computes. */
export function mayFetch(body: string): boolean {
  return call.test(body)
}
