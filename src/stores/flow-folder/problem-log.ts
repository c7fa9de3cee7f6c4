import { type Problem, problemsOf } from '../../lib/errors.ts'
import type { PublicationLog } from './publication-log.ts'

/** What is wrong with files: each thing is reported once, for as long as it lasts. */
export interface ProblemLog {
  /** Remembers why a text can't be published; the hash is empty when there is no text. */
  about(file: string, error: unknown, textHash: string): void
  settle(file: string): void
  /** Names what is wrong and has not been reported; empty when all is well or reported. */
  unreported(): string
  report(isPublished: (file: string) => boolean): void
  /** What is wrong with a file and has been reported; empty when it is well. */
  problemsOf(file: string): readonly Problem[]
}

interface Complaint {
  readonly problems: readonly Problem[]
  /** Differs when the problems, or the text that they are about, do. */
  readonly key: string
  readonly isReported: boolean
}

export function createProblemLog(log: PublicationLog): ProblemLog {
  const complaints = new Map<string, Complaint>()
  const unreported = () => [...complaints].filter(([, { isReported }]) => !isReported)
  return {
    about(file, error, textHash) {
      const problems = problemsOf(error)
      const key = JSON.stringify([file, textHash, problems])
      if (complaints.get(file)?.key !== key) complaints.set(file, { problems, key, isReported: false })
    },
    settle: (file) => void complaints.delete(file),
    unreported: () =>
      unreported()
        .map(([, { key }]) => key)
        .join(),
    problemsOf(file) {
      const { problems = [], isReported } = complaints.get(file) ?? {}
      return isReported ? problems : []
    },
    report(isPublished) {
      for (const [file, complaint] of unreported()) {
        const fate = isPublished(file) ? 'its last good version stays published' : 'it is not published'
        log.error({ file, problems: complaint.problems }, `flow file is broken: ${fate}`)
        complaints.set(file, { ...complaint, isReported: true })
      }
    },
  }
}
