# jperrant on a CPU: annotates English, Chinese and Korean and scores any M2, offline.
#   docker build -t jperrant .
#   docker run --rm -v "$PWD:/data" jperrant annotate original.txt corrected.txt --lang en -o edits.m2
# docker build --build-arg EXTRAS=all . brings Stanza, PyTorch and everything else.
FROM python:3.11-slim
ARG EXTRAS=zh
COPY . /source
RUN pip install --no-cache-dir -c /source/constraints.txt "/source[$EXTRAS]" && rm -rf /source
WORKDIR /data
ENTRYPOINT ["jperrant"]
