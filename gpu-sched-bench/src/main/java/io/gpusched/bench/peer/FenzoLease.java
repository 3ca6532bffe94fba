package io.gpusched.bench.peer;

import com.netflix.fenzo.VirtualMachineLease;
import java.util.List;
import java.util.Map;
import org.apache.mesos.Protos;

/** A node as Fenzo sees it: CPU in cores, memory in MB, and its GPUs as one number, the custom scalar {@code gpu}. */
record FenzoLease(String hostname, double cpuCores, double memoryMB, double gpus) implements VirtualMachineLease {
    static final String GPU = "gpu";

    @Override
    public String getId() {
        return hostname;
    }

    @Override
    public long getOfferedTime() {
        return 0;
    }

    @Override
    public String getVMID() {
        return hostname;
    }

    @Override
    public double networkMbps() {
        return 0;
    }

    @Override
    public double diskMB() {
        return 0;
    }

    @Override
    public List<Range> portRanges() {
        return List.of();
    }

    @Override
    public Protos.Offer getOffer() {
        return Protos.Offer.getDefaultInstance();
    }

    /** A plain hash map: Fenzo asks it for null. */
    @Override
    public Map<String, Protos.Attribute> getAttributeMap() {
        return new java.util.HashMap<>();
    }

    @Override
    public Double getScalarValue(String name) {
        return name.equals(GPU) ? gpus : 0.0;
    }

    @Override
    public Map<String, Double> getScalarValues() {
        return Map.of(GPU, gpus);
    }
}
