# syntax=docker/dockerfile:1

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY index.html tracking.html return-portal.html answer.html vite.config.ts tsconfig.json LICENSE CHANGELOG.md THIRD-PARTY-NOTICES.md ./
COPY scripts scripts
COPY src src
COPY migrations migrations
COPY translations translations
COPY docs docs
RUN ["node", "scripts/build.ts", "--slim"]

FROM node:26.10.0-bookworm-slim
RUN install -d -o node -g node -m 700 /var/lib/pakhus
WORKDIR /opt/pakhus
COPY --from=build /src/build ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/pakhus DEMO=0
VOLUME /var/lib/pakhus
EXPOSE 8080
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/start.ts"]
