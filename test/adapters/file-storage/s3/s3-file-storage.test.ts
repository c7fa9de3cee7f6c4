import { openS3Uploads } from '../../../support/s3/open-s3-uploads.ts'
import { startS3rver } from '../../../support/s3/s3rver.ts'
import { describeDirectUploads } from '../direct-uploads-contract.ts'
import { describeUploadedFiles } from '../uploaded-files-contract.ts'

describeUploadedFiles('in a bucket', async (bounds) => openS3Uploads(await startS3rver(), bounds))
describeDirectUploads('to a bucket', startS3rver)
