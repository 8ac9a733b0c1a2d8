import type { Device } from './device.ts';
import { operationsOn } from './device-operations.ts';
import { crashDoublesNothing, crashKeepsSaved } from './invariants/crash.ts';
import { forgetTab, openPage, type World } from './world.ts';

/** Checks the rows of a device after a power cut. */
async function checkCrashed(world: World, device: Device): Promise<void> {
  const { record, history, server } = world;
  const rows = await operationsOn(device, server);
  const { writes, wipedStreams, made } = record;
  const crashed = { device: device.label, writes, wipedStreams, made, wasFull: device.wasFull };
  for (const detail of crashKeepsSaved(crashed, rows)) {
    history.violate({ invariant: 'crashKeepsSaved', detail });
  }
  for (const detail of crashDoublesNothing(crashed, rows)) {
    history.violate({ invariant: 'crashDoublesNothing', detail });
  }
}

/** Restarts devices after a power cut; they must show what they showed before. */
export async function restartAfterPowerCut(world: World): Promise<void> {
  for (const device of world.devices) {
    if (!device.power.wentOut()) continue;
    for (const tab of world.tabs.filter((one) => one.device === device)) forgetTab(world, tab);
    device.clock.reboot();
    world.history.fault('powerCut', device.label);
    await checkCrashed(world, device);
    const tab = await openPage(world, device);
    await world.looks.look(tab);
  }
}
