/** Words for the queues of devices and for commands to them: English sentences, the keys of translations. */
import type { DeviceCommand, PrinterDevice } from './printer-management.schemas.ts'

type Queue = PrinterDevice['queues'][number]

export const queueLabels: Readonly<Record<Queue['state'], string>> = { idle: 'Ready', prints: 'Prints', stopped: 'Paused' }
export const queueTones: Readonly<Record<Queue['state'], 'done' | 'busy' | 'stop'>> = { idle: 'done', prints: 'busy', stopped: 'stop' }

export const commandLabels: Readonly<Record<DeviceCommand['command']['action'], string>> = {
  add: 'Add {{name}}',
  remove: 'Remove {{name}}',
  enable: 'Start {{name}}',
  disable: 'Pause {{name}}',
  set_default: 'Make {{name}} the default printer',
  cancel_jobs: 'Cancel the jobs of {{name}}',
  set_paper: 'Change the paper of {{name}}',
  discover: 'Find printers',
}

export const commandStateLabels: Readonly<Record<DeviceCommand['state'], string>> = {
  waiting: 'On its way',
  taken: 'At work',
  done: 'Done',
  failed: 'Failed',
  lost: 'No answer',
}
export const commandTones: Readonly<Record<DeviceCommand['state'], 'soon' | 'busy' | 'done' | 'stop'>> = {
  waiting: 'soon',
  taken: 'busy',
  done: 'done',
  failed: 'stop',
  lost: 'stop',
}
