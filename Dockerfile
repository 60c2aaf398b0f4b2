# Two stages: build with what building needs, run with what running needs.
FROM node:24-bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-pip \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY console ./console
COPY samples ./samples
RUN npm run build
# The embedding model goes into the image: a container needs nothing from outside to start.
RUN node -e "require('./dist/embedded/fetch.js').locateMiniLm({ cacheDir: '/opt/cairn/cache', onProgress: console.log }).then(console.log)"
RUN npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    CAIRN_CACHE_DIR=/opt/cairn/cache \
    CAIRN_DATA_DIR=/var/lib/cairn \
    CAIRN_OFFLINE=true \
    NODE_OPTIONS=--max-semi-space-size=64
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
RUN mkdir -p /var/lib/cairn && chown node:node /var/lib/cairn
WORKDIR /app
COPY --from=build --chown=node:node /opt/cairn/cache /opt/cairn/cache
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/samples ./samples
USER node
EXPOSE 4747
# Longer than the workers' own grace time of 20 s is set in docker-compose.yml.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["server"]
