import type { Static } from '@sinclair/typebox'
import { ClosedObject, optional } from './common.ts'
import { Type } from './type.ts'

/** Description of a file that is about to be uploaded (docs/api.md, "Uploads"). */
export const GenerateUploadUrlBody = Type.Object(
  {
    sessionId: Type.String({ description: 'What the start returned' }),
    ...optional({
      blockId: Type.String({ description: 'Accepted and not used: the input that waits decides' }),
      fileName: Type.String({
        description:
          'Its extension says what the file is where its type does not; the service names files itself',
        examples: ['prices.csv'],
      }),
      fileType: Type.String({
        description: 'MIME type; nothing for one that the system of the client does not know',
        examples: ['image/png'],
      }),
      fileSize: Type.Number({ minimum: 0, description: 'Bytes' }),
    }),
  },
  { examples: [{ sessionId: 'V1StGXR8_Z5jdHi6B-myT', fileType: 'image/png', fileSize: 48_213 }] },
)
export type GenerateUploadUrlBody = Static<typeof GenerateUploadUrlBody>

/** Address to upload a file to, and its address for the reply afterwards. */
export const GenerateUploadUrlResponse = ClosedObject({
  presignedUrl: Type.String({
    description:
      'Takes the bytes of the file in one PUT, once, within ten minutes; with the header `content-type` as `fileType` says and with as many bytes as `fileSize` said, where it is the address of another server',
    examples: ['https://flows.example/uploads/eyJwYXRo…'],
  }),
  formData: ClosedObject({}, { description: 'What has to be sent beside the bytes: nothing' }),
  fileType: Type.String({ description: 'MIME type, without parameters', examples: ['image/png'] }),
  maxFileSize: Type.Number({ description: 'Megabytes, of 1,048,576 bytes each', examples: [10] }),
  fileUrl: Type.String({
    description: 'Where the file lies once it is uploaded: what the reply is to say',
    examples: ['https://flows.example/uploads/0f1e2d3c4b5a69788796a5b4c3d2e1f0/V1StGXR8_Z5jdHi6B-myT.png'],
  }),
})
export type GenerateUploadUrlResponse = Static<typeof GenerateUploadUrlResponse>

/** The path of an upload. */
export const UploadParams = Type.Object({
  token: Type.String({ description: 'From `presignedUrl`', examples: ['eyJwYXRo…'] }),
})

/** The path of an uploaded file. */
export const UploadedFileParams = Type.Object({
  owner: Type.String({ examples: ['0f1e2d3c4b5a69788796a5b4c3d2e1f0'] }),
  name: Type.String({ examples: ['V1StGXR8_Z5jdHi6B-myT.png'] }),
})
