# The command in an image of nothing else: `docker build -t destrier .`, then
#   docker run --rm destrier tour 8x8
#   docker run --rm -p 8080:8080 destrier serve --host 0.0.0.0 --expose
FROM rust:1.95-alpine3.22 AS build
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist --package destrier-cli

FROM scratch
COPY --from=build /src/target/dist/destrier /destrier
USER 65534:65534
EXPOSE 8080
ENTRYPOINT ["/destrier"]
CMD ["--help"]
