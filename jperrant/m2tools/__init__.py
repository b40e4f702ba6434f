"""The M2 tool box: functions on streams of blocks, one module a tool."""
