import { type Problem, problemsOf } from '../../errors.ts'
import type { PublicationLog } from './publication-log.ts'

/** What is wrong with files: each thing is told once, for as long as it lasts. */
export interface ProblemLog {
  /** Remembers why a text can't be published; the hash is empty when there is no text. */
  about(file: string, error: unknown, textHash: string): void
  settle(file: string): void
  /** Names what is wrong and has not been told; empty when all is well or told. */
  untold(): string
  tell(isPublished: (file: string) => boolean): void
  /** What is wrong with a file and has been told; empty when it is well. */
  problemsOf(file: string): readonly Problem[]
}

interface Complaint {
  readonly problems: readonly Problem[]
  /** Differs when the problems, or the text that they are about, do. */
  readonly key: string
  readonly isTold: boolean
}

export function createProblemLog(report: PublicationLog): ProblemLog {
  const complaints = new Map<string, Complaint>()
  const untold = () => [...complaints].filter(([, { isTold }]) => !isTold)
  return {
    about(file, error, textHash) {
      const problems = problemsOf(error)
      const key = JSON.stringify([file, textHash, problems])
      if (complaints.get(file)?.key !== key) complaints.set(file, { problems, key, isTold: false })
    },
    settle: (file) => void complaints.delete(file),
    untold: () =>
      untold()
        .map(([, { key }]) => key)
        .join(),
    problemsOf(file) {
      const { problems = [], isTold } = complaints.get(file) ?? {}
      return isTold ? problems : []
    },
    tell(isPublished) {
      for (const [file, complaint] of untold()) {
        const fate = isPublished(file) ? 'its last good version stays published' : 'it is not published'
        report.error({ file, problems: complaint.problems }, `flow file is broken: ${fate}`)
        complaints.set(file, { ...complaint, isTold: true })
      }
    },
  }
}
