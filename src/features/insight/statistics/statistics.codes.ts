/** Codes and limits that screens and schemas of statistics share. */

export const segmentKinds = ['walking', 'picking', 'break', 'paused'] as const
