/**
 * Flags of the processes that answer calls and run tasks. Node lets the heap of a process grow to several times what it needs where the machine has
 * much memory: 1,010 instead of 605 MB for both processes under the load of a hundred stations (`npm run bench -- load`). With these it collects
 * when what may be garbage is two fifths of what is in use. What Node has compiled with other flags is of no use to them.
 */
export const heapFlags = ['--max-semi-space-size=8', '--heap-growing-percent=40']
