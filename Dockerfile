FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY schemas schemas
COPY src src
COPY client client
COPY pages pages
COPY tools tools
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FLOWS_DIR=/app/flows DRAIN_SECONDS=5
# Volumes that are mounted at `data` for DATA_DIR and at `uploads` for UPLOADS_DIR belong to the user below.
RUN mkdir flows && mkdir -m 700 data uploads && chown node data uploads
COPY LICENSE package.json ./
COPY migrations migrations
COPY template template
COPY docs/blocks.md docs/llms.txt docs/write-a-flow.md docs/
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist/bin dist/bin
COPY --from=build /app/dist/pages dist/pages
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/bin/flow-runtime.js"]
