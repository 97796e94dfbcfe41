/** A refusal of backup or restore; its text is for the person who started it. */
export class BackupError extends Error {
  override name = 'BackupError'
}
