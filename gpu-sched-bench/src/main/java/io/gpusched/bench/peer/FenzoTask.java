package io.gpusched.bench.peer;

import com.netflix.fenzo.ConstraintEvaluator;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import java.util.List;
import java.util.Map;

/** A pod as Fenzo sees it. */
final class FenzoTask implements TaskRequest {
    private final String id;
    private final double cpus;
    private final double memory;
    private final Map<String, Double> scalars;
    private AssignedResources assigned;

    FenzoTask(String id, double cpus, double memory, double gpus) {
        this.id = id;
        this.cpus = cpus;
        this.memory = memory;
        this.scalars = Map.of(FenzoLease.GPU, gpus);
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public String taskGroupName() {
        return "";
    }

    @Override
    public double getCPUs() {
        return cpus;
    }

    @Override
    public double getMemory() {
        return memory;
    }

    @Override
    public double getNetworkMbps() {
        return 0;
    }

    @Override
    public double getDisk() {
        return 0;
    }

    @Override
    public int getPorts() {
        return 0;
    }

    @Override
    public Map<String, Double> getScalarRequests() {
        return scalars;
    }

    @Override
    public Map<String, NamedResourceSetRequest> getCustomNamedResources() {
        return Map.of();
    }

    @Override
    public List<? extends ConstraintEvaluator> getHardConstraints() {
        return List.of();
    }

    @Override
    public List<? extends VMTaskFitnessCalculator> getSoftConstraints() {
        return List.of();
    }

    @Override
    public void setAssignedResources(AssignedResources resources) {
        assigned = resources;
    }

    @Override
    public AssignedResources getAssignedResources() {
        return assigned;
    }
}
