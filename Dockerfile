# syntax=docker/dockerfile:1

FROM rust:1.89-slim-bookworm AS build
WORKDIR /permutile
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/permutile/target \
    cargo build --release --locked --package permutile --bin permutile \
    && install -D target/release/permutile /out/permutile \
    && install -d /empty

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /out/permutile /usr/local/bin/permutile
COPY --from=build --chown=nonroot:nonroot /empty /var/cache/permutile
COPY --from=build --chown=nonroot:nonroot /empty /work
ENV PERMUTILE_CACHE=/var/cache/permutile/tables \
    PERMUTILE_DATA=/var/cache/permutile/data
VOLUME /var/cache/permutile
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/permutile"]
CMD ["--help"]
