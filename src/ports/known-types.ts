// Types of the engine and the stores for adapters, which do not import either.
export type {
  CodeJob,
  CodeResult,
  FileHeaders,
  Mail,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
} from '../engine/model/effect-payloads.ts'
export type { TurnLimit } from '../engine/model/limits.ts'
export type { Announcements } from '../stores/announcements.ts'
export type { ConnectionUsage, StoreUsage } from '../stores/store-usage.ts'
export type { CountedUpload, SharedUploadCounts, UploadLimits } from '../stores/upload-counts.ts'
