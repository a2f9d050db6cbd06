# syntax=docker/dockerfile:1
# The one-machine service:
#   docker build -t mayfly .
#   docker run -p 127.0.0.1:8025:8025 -p 127.0.0.1:1025:1025 -v mayfly:/data --read-only --cap-drop ALL mayfly
# Arguments are those of the command: `docker run --network host mayfly new`.
# Configuration: docs/configuration.md. Pin the base images by digest where builds must be reproducible.

FROM node:24-slim AS build
WORKDIR /source
# The dependencies are a layer of their own, which changes of the sources do not rebuild.
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/mayfly/package.json packages/mayfly/
COPY packages/cdk/package.json packages/cdk/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN mkdir -p /packed /app /data \
  && npm pack --workspace packages/client --workspace packages/mayfly --pack-destination /packed \
  && npm install --prefix /app --offline --no-audit --no-fund /packed/*.tgz

FROM gcr.io/distroless/nodejs24-debian13
LABEL org.opencontainers.image.title="Mayfly" \
  org.opencontainers.image.description="Disposable mailboxes for tests, CI and agents" \
  org.opencontainers.image.source="https://github.com/mayfly/mayfly" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production MAYFLY_HOST=0.0.0.0 MAYFLY_DATA_DIR=/data
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
# The user `nonroot` of the base image, by number, so that a cluster can see that it is not root.
USER 65532:65532
VOLUME /data
EXPOSE 8025 1025
# Not localhost, which may be ::1, where the service does not listen.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.MAYFLY_HTTP_PORT || 8025}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The process is PID 1 and receives SIGTERM itself. More threads of V8 take 40 MB and save no time.
ENTRYPOINT ["/nodejs/bin/node", "--v8-pool-size=1", "--max-semi-space-size=4", "/app/node_modules/mayfly/dist/cli.js"]
