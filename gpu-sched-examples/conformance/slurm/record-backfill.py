#!/usr/bin/env python3
"""Records what a real Slurm starts, and when it plans to start the rest: record-backfill.py FIRST_SEED LAST_SEED > backfill.json

Needs Debian's slurmctld, slurmd and slurm-client, and root. Starts a controller and six slurmd on this host in a folder of its own, and
stops them at the end. GPUs are plain files. A scenario: jobs that run, then a partition that is opened with jobs queued in it.
"""
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

NODES = {"n%d" % i: ("a100", 4) for i in range(1, 5)} | {"n%d" % i: ("t4", 8) for i in range(5, 7)}
SIZES = {"a100": (4, 4), "t4": (2, 8)}  # nodes, GPUs of a node
CPUS = 32
CONF = """ClusterName=recorded
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort=7817
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=1
MinJobAge=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/basic
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,bf_resolution=1,bf_window=10080,bf_continue,batch_sched_delay=0,sched_min_interval=100000
GresTypes=gpu
NodeName=n[1-4] NodeHostname={host} NodeAddr=127.0.0.1 Port=[17001-17004] CPUs=32 RealMemory=100000 Gres=gpu:a100:4
NodeName=n[5-6] NodeHostname={host} NodeAddr=127.0.0.1 Port=[17005-17006] CPUs=32 RealMemory=100000 Gres=gpu:t4:8
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefMemPerCPU=100 State=UP
"""
GRES = "NodeName=n[1-4] Name=gpu Type=a100 File={folder}/gpu[0-3]\nNodeName=n[5-6] Name=gpu Type=t4 File={folder}/gpu[0-7]\n"
CGROUP = "CgroupPlugin=cgroup/v1\nConstrainCores=no\nConstrainDevices=no\n"


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def start(folder):
    values = {"folder": folder, "host": socket.gethostname()}
    for name, text in (("slurm.conf", CONF), ("gres.conf", GRES), ("cgroup.conf", CGROUP)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text.format(**values))
    for gpu in range(8):
        open(os.path.join(folder, "gpu%d" % gpu), "w").close()
    os.environ["SLURM_CONF"] = os.path.join(folder, "slurm.conf")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = []
    for words in [["slurmctld", "-D"]] + [["slurmd", "-D", "-N", node] for node in NODES]:
        os.makedirs(os.path.join(folder, words[-1]), exist_ok=True)
        started.append(subprocess.Popen(words, **quiet))
        time.sleep(1)
    return started


def jobs():
    """Returns what Slurm says of each job by its id."""
    found = {}
    for line in run("scontrol", "show", "job", "-d", "-o").splitlines():
        fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
        if "JobId" in fields:
            fields["grants"] = [
                (run("scontrol", "show", "hostnames", word[6:]).split(), line.split(word, 1)[1].split("GRES=", 1)[1].split()[0:1])
                for word in line.split()
                if word.startswith("Nodes=") and "GRES=" in line.split(word, 1)[1]
            ]
            found[int(fields["JobId"])] = fields
    return found


def seconds(text):
    return int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))) if text[0].isdigit() else None


def indexes(grant):
    gpus = []
    for part in grant.split("IDX:")[1].rstrip(")").split(",") if "IDX:" in grant else []:
        ends = [int(end) for end in part.split("-")]
        gpus += range(ends[0], ends[-1] + 1)
    return gpus


def shape(rng, large):
    """Returns a random request: GPUs of a type on each of some nodes, or whole nodes."""
    kind = rng.choice(["gpus", "full", "nodes", "whole"] if large else ["gpus", "gpus", "gpus", "nodes", "whole"])
    model = rng.choice(["a100", "a100", "t4"])
    nodes, gpus = SIZES[model]
    if kind == "whole":
        return {"nodes": rng.randint(2 if large else 1, 4 if large else 1), "whole": True}
    if kind == "full":
        return {"nodes": rng.randint(2, nodes), "type": model, "gpus": gpus}
    if kind == "nodes":
        return {"nodes": rng.randint(2, nodes), "type": model, "gpus": rng.randint(1, gpus)}
    return {"nodes": 1, "type": model, "gpus": gpus if large else rng.randint(1, gpus)}


def submit(job):
    words = ["sbatch", "--parsable", "-o", "/dev/null", "-N%d" % job["nodes"], "--ntasks-per-node=1"]
    words.append("-t%d" % (job["limit"] // 60))
    words += ["--exclusive"] if job.get("whole") else ["--gres=gpu:%s:%d" % (job["type"], job["gpus"]), "-c%d" % job["cpus"]]
    return int(run(*words, "--wrap", "sleep 100000"))


def clear():
    run("scancel", "-u", "root")
    while run("squeue", "-h").strip() or set(run("sinfo", "-h", "-o", "%t").split()) != {"idle"}:
        time.sleep(0.2)


def record(seed):
    rng = random.Random(seed)
    clear()
    wanted = [shape(rng, rng.random() < 0.15) for _ in range(rng.randint(4, 9))]
    for job in wanted:
        job.update(cpus=rng.randint(1, 4), limit=600 * rng.randint(1, 12))
    queue = [shape(rng, place == 0 or rng.random() < 0.25) for place in range(rng.randint(4, 8))]
    for job in queue:
        job.update(cpus=rng.randint(1, 4), limit=300 + 600 * rng.randint(0, 11))
    ids = [submit(job) for job in wanted]
    time.sleep(1.5)
    found = jobs()
    for place, job in zip(ids, wanted):
        job["state"] = found[place]["JobState"]
        if job["state"] != "RUNNING":
            run("scancel", str(place))
    run("scontrol", "update", "PartitionName=all", "State=DOWN")
    queued = [submit(job) for job in queue]
    opened = int(time.time())
    run("scontrol", "update", "PartitionName=all", "State=UP")
    before = None
    for _ in range(10):
        time.sleep(3)
        after = jobs()
        states = [(after[job]["JobState"], after[job]["StartTime"]) for job in queued]
        if states == before:
            break
        before = states
    running = []
    for place, job in zip(ids, wanted):
        if job.pop("state") == "RUNNING":
            running.append(told(job, after[place], opened))
    return {"seed": seed, "running": running, "queue": [told(job, after[place], opened) for place, job in zip(queued, queue)]}


def told(job, fields, opened):
    start = seconds(fields["StartTime"])
    job["start"] = None if start is None else start - opened
    if fields["JobState"] == "RUNNING":
        job["on"] = {node: indexes("".join(grant)) for nodes, grant in fields["grants"] for node in nodes}
    return job


def main():
    folder = tempfile.mkdtemp(prefix="slurm")
    started = start(folder)
    try:
        time.sleep(3)
        version = run("sinfo", "-V").split()[1]
        nodes = {node: {"type": model, "gpus": gpus, "cpus": CPUS} for node, (model, gpus) in NODES.items()}
        print('{"slurm": "%s",\n"nodes": %s,\n"scenarios": [' % (version, json.dumps(nodes)))
        first, last = int(sys.argv[1]), int(sys.argv[2])
        for seed in range(first, last + 1):
            print(json.dumps(record(seed)) + ("," if seed < last else ""), flush=True)
        print("]}")
        clear()
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
