#!/usr/bin/env bash
# Runs a command beside a Slurm of one node, on Debian or Ubuntu, as root: single_node.sh COMMAND ...
#
# Where a controller answers already, the command has that one. Else Slurm is installed where it is
# missing, and ends with the command. What it writes is in a folder of its own; its configuration alone
# has a fixed place, since the plugin hides the variables of Slurm from its jobs.
set -euo pipefail

configuration=/etc/slurm/slurm.conf

install() {
    if [ -e $configuration ]; then
        echo "error: no controller answers, and $configuration exists: start what it describes, or move it away" >&2
        exit 1
    fi
    if ! { command -v munged && command -v slurmctld && command -v slurmd; } >/dev/null; then
        apt-get update --quiet=2
        DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends slurm-wlm munge
    fi
}

start() {
    local host memory
    host=$(hostname --short)
    memory=$(awk '/MemTotal/ { print int($2 / 1024 * 0.8) }' /proc/meminfo)
    mkdir "$folder"/{controller,node}
    # Memory is given out and watched, as on a real cluster; there is no database of finished jobs.
    cat >$configuration <<CONF
ClusterName=single
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/controller
SlurmdSpoolDir=$folder/node
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=2
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
EnforcePartLimits=ALL
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc --all) RealMemory=$memory
PartitionName=single Nodes=$host Default=YES MaxTime=INFINITE
CONF
    (umask 077 && head --bytes=1024 /dev/urandom >"$folder/munge.key")
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
        --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
    slurmctld
    slurmd
    for _ in $(seq 30); do
        sinfo --noheader --format=%T 2>/dev/null | grep --quiet idle && return
        sleep 1
    done
    tail --lines=20 "$folder"/*.log >&2
    echo "error: after 30 seconds the node is not idle: see the logs above" >&2
    exit 1
}

stop() {
    local daemon pid
    scancel --me || true
    for daemon in slurmd slurmctld munged; do
        if pid=$(cat "$folder/$daemon.pid" 2>/dev/null) && kill "$pid"; then
            tail --pid="$pid" --follow /dev/null
        fi
    done
    rm -rf "$folder" $configuration
}

if ! scontrol ping >/dev/null 2>&1; then
    install
    folder=$(mktemp --directory)
    chmod 755 "$folder" # munge asks for it
    trap stop EXIT
    start
fi
"$@"
