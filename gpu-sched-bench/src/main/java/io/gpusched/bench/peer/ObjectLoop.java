package io.gpusched.bench.peer;

import io.gpusched.bench.load.Shape;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The loop that one would write first where clarity counts: a list of nodes, each with its devices, and streams. */
public final class ObjectLoop implements Peer {
    private final Shape shape;
    private final List<Machine> machines = new ArrayList<>();

    private static final class Device {
        private final int index;
        private final Machine machine;
        private int percentLeft = 100;

        Device(int index, Machine machine) {
            this.index = index;
            this.machine = machine;
        }

        boolean isIdle() {
            return percentLeft == 100;
        }

        int percentLeft() {
            return percentLeft;
        }
    }

    private static final class Machine {
        private final List<Device> devices;
        private long cpuLeft;
        private long memoryLeft;

        Machine(int index, long cpuMillis, long memoryMib) {
            cpuLeft = cpuMillis;
            memoryLeft = memoryMib;
            devices = IntStream.range(0, GPUS)
                    .mapToObj(g -> new Device(index * GPUS + g, this))
                    .toList();
        }

        boolean hasResources(Shape shape) {
            return cpuLeft >= shape.resources().cpuMillis()
                    && memoryLeft >= shape.resources().memoryMib();
        }

        long idleDevices() {
            return devices.stream().filter(Device::isIdle).count();
        }
    }

    /** Creates empty nodes of this much CPU and memory that take pods of this shape. */
    public ObjectLoop(Shape shape, int nodes, long cpuMillis, long memoryMib) {
        this.shape = shape;
        for (int i = 0; i < nodes; i++) {
            machines.add(new Machine(i, cpuMillis, memoryMib));
        }
    }

    @Override
    public int find() {
        Device device = shape.gpu() instanceof GpuRequest.Share share
                ? tightestShared(share.computeMillis() / 10)
                : tightestIdle(shape.gpu() instanceof GpuRequest.WholeNode ? GPUS : 1);
        return device == null ? -1 : device.index;
    }

    @Override
    public void take(int gpu) {
        change(device(gpu), -1);
    }

    @Override
    public void release(int gpu) {
        change(device(gpu), 1);
    }

    private Device device(int gpu) {
        return machines.get(gpu / GPUS).devices.get(gpu % GPUS);
    }

    private void change(Device device, int sign) {
        if (shape.gpu() instanceof GpuRequest.Share share) {
            device.percentLeft += sign * share.computeMillis() / 10;
        } else if (shape.gpu() instanceof GpuRequest.WholeNode) {
            device.machine.devices.forEach(each -> each.percentLeft += sign * 100);
        } else {
            device.percentLeft += sign * 100;
        }
        device.machine.cpuLeft += sign * shape.resources().cpuMillis();
        device.machine.memoryLeft += sign * shape.resources().memoryMib();
    }

    private Device tightestIdle(int count) {
        return machines.stream()
                .filter(machine -> machine.idleDevices() >= count && machine.hasResources(shape))
                .min(Comparator.comparingLong(Machine::idleDevices))
                .flatMap(machine ->
                        machine.devices.stream().filter(Device::isIdle).findFirst())
                .orElse(null);
    }

    private Device tightestShared(int percent) {
        return machines.stream()
                .filter(machine -> machine.hasResources(shape))
                .flatMap(machine -> machine.devices.stream())
                .filter(device -> device.percentLeft() >= percent)
                .min(Comparator.comparingInt(Device::percentLeft))
                .orElse(null);
    }
}
