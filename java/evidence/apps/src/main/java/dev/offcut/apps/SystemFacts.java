package dev.offcut.apps;

import java.util.List;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.software.os.OSFileStore;
import oshi.software.os.OperatingSystem;

/**
 * OSHI asked for all that it knows of a machine, as its own test program does: heavy use of JNA.
 */
public final class SystemFacts {
  private final OperatingSystem system;
  private final HardwareAbstractionLayer hardware;

  private SystemFacts(SystemInfo info) {
    this.system = info.getOperatingSystem();
    this.hardware = info.getHardware();
  }

  /** {@code [TIMES]}. */
  public static void main(String[] args) {
    int times = Times.of(args);
    SystemFacts facts = new SystemFacts(new SystemInfo());
    facts.sayWhatStays();
    for (int i = 0; i < times; i++) {
      facts.askWhatChanges();
    }
    System.out.println("asked " + times + " times");
  }

  private void sayWhatStays() {
    CentralProcessor processor = hardware.getProcessor();
    System.out.println("family " + system.getFamily() + ", " + system.getBitness() + " bits");
    System.out.println("version " + system.getVersionInfo());
    System.out.println("processors " + processor.getLogicalProcessorCount());
    System.out.println("identifier " + processor.getProcessorIdentifier());
    System.out.println("memory " + hardware.getMemory().getTotal());
    System.out.println("page " + hardware.getMemory().getPageSize());
    for (NetworkIF network : hardware.getNetworkIFs(true)) {
      System.out.println("interface " + network.getName() + ", MTU " + network.getMTU());
    }
    for (HWDiskStore disk : hardware.getDiskStores()) {
      System.out.println("disk " + disk.getName() + ", " + disk.getSize());
    }
  }

  private void askWhatChanges() {
    CentralProcessor processor = hardware.getProcessor();
    require(processor.getSystemCpuLoadTicks().length > 0, "no processor times");
    require(hardware.getMemory().getAvailable() > 0, "no memory");
    List<OSFileStore> stores = system.getFileSystem().getFileStores();
    stores.forEach(OSFileStore::updateAttributes);
    int own = system.getProcessId();
    require(own == ProcessHandle.current().pid(), "not this process");
    require(system.getProcess(own).getResidentSetSize() > 0, "nothing resident");
    require(!system.getProcesses().isEmpty(), "no processes");
    system.getSessions();
    system.getInternetProtocolStats().getConnections();
    require(hardware.getSensors().getCpuTemperature() >= 0, "colder than ice");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
