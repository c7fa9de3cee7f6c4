import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerData } from '../protocol.ts'
import { serveJobs } from './job-server.ts'

await serveJobs(parentPort!, workerData as WorkerData)
