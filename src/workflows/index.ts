export { capture } from './capture';
export { embed } from './embed';
