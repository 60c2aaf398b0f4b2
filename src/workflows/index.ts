export { capture } from './capture';
export { embed } from './embed';
export { redistill } from './redistill';
export { sweep } from './sweep';
