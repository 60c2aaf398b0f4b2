export { capture } from './capture';
export { embed } from './embed';
export { redistill } from './redistill';
export { reembed } from './reembed';
export { sweep } from './sweep';
