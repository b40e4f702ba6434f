# jperrant on a CPU: annotates English, Chinese and Korean and scores any M2, offline.
#   docker build -t jperrant .
#   docker run --rm -v "$PWD:/data" jperrant annotate original.txt corrected.txt --lang en -o edits.m2
# docker build --build-arg EXTRAS=all . brings Stanza, PyTorch and everything else.
FROM python:3.11-slim
ARG EXTRAS=zh
COPY . /source
RUN /source/docker/install.sh /source "$EXTRAS" && rm -rf /source
# The folder that is mounted; files that are written there belong to whoever runs the container (--user).
WORKDIR /data
ENTRYPOINT ["jperrant"]
CMD ["--help"]
