import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { createUploadUrl } from './create-upload-url.js';
import { toUploadError } from './upload-errors.js';
import { resultOwner, typeOfPath } from './upload-path.js';
import { notValid, readGrant } from './upload-token.js';
/** Puts uploads together over a place to keep them. */
export function createUploads(deps) {
    const { chat, files, secret = randomBytes(32), fileBytes } = deps;
    return {
        offer: (request) => createUploadUrl(request, { chat, files, secret, fileBytes }),
        async receive(token, content) {
            const { place, maxBytes } = readGrant(token, { secret, now: chat.ports.now() });
            // Even a forged grant reaches no other path and no larger file.
            if (typeOfPath(place) === undefined)
                throw notValid();
            const mostBytes = Math.min(maxBytes, fileBytes);
            const outcome = await files.save(place, content, mostBytes);
            if (outcome !== 'saved')
                throw toUploadError(outcome, mostBytes);
        },
        async open(place) {
            const type = typeOfPath(place);
            const file = type === undefined ? undefined : await files.open(place);
            if (type === undefined || !file)
                throw new ServiceError('NOT_FOUND', 'File not found');
            return { ...file, type, isInline: isInline(type) };
        },
        removeOwned: (resultId) => files.removeOwned(resultOwner(resultId)),
    };
}
/** What takes the place of uploads in a service that has nowhere to keep them. */
export const noUploads = {
    offer: refuse,
    receive: refuse,
    async open() {
        throw new ServiceError('NOT_FOUND', 'File not found');
    },
    async removeOwned() { },
};
async function refuse() {
    throw new ServiceError('BAD_REQUEST', 'This service takes no files: it was started without UPLOADS_DIR');
}
/** SVG is a document with scripts; the viewers of PDF refuse to work in the sandbox that files are served in. */
function isInline(type) {
    return /^(?:image|audio|video)\//.test(type) && type !== 'image/svg+xml';
}
//# sourceMappingURL=uploads-service.js.map