# The one-machine service:
#   docker build -t mayfly .
#   docker run -p 8080:8080 -p 25:2525 -v mayfly:/data --read-only --cap-drop ALL mayfly
# Configuration: docs/configuration.md. Pin the base by its digest where builds must be the same for ever.

FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm pack --workspace packages/mayfly --pack-destination /tmp \
  && tar -xzf /tmp/mayfly-*.tgz -C /tmp

FROM node:24-slim
ENV NODE_ENV=production MAYFLY_HOST=0.0.0.0 MAYFLY_DATA_DIR=/data
RUN install -d -o node -g node /data
COPY --from=build /tmp/package /app
WORKDIR /app
# The user `node` of the base image, by number, so that a cluster can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080 2525
# Not localhost, which may be ::1 where the service does not listen.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MAYFLY_HTTP_PORT || 8080}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# PID 1 gets SIGTERM itself.
CMD ["node", "--max-semi-space-size=4", "dist/cli.js"]
